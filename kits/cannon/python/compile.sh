#!/bin/sh
# Python needs no compiling. The course asks for this file all the same.
