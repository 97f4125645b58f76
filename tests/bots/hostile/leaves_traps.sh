#!/bin/sh
# A build that succeeds and leaves traps in what it has built: links that lead out, a pipe, a device, programs that run as their owner.
mkdir -p deep/down
ln -s /etc/shadow shadow
ln -s /etc absolute
ln -s ../../../../../../etc/passwd upwards
ln -s ../../../outside deep/down/outside
ln -s fine.txt inside
ln -s shadow chained
echo fine > fine.txt
mkfifo pipe
mknod device c 1 3 2> /dev/null
cp /usr/bin/id runs_as_owner
chmod 6755 runs_as_owner
mkdir closed
echo secret > closed/file
chmod 1777 deep
exit 0
