"""Reads what is not its business: the arena's database, the opponent's files, environments, passwords, the system's secrets."""

import os

from common import TOLD, breach, refused, until_go

until_go()
secret = TOLD["secret"].encode()
for path in TOLD["secrets"] + ["/etc/shadow", "/root/.ssh/id_rsa", "/proc/kcore", "/proc/kmsg", "/dev/mem", "/dev/sda", "/dev/vda"]:
    try:
        with open(path, "rb") as file:
            file.read(64)
        breach("read %s" % path)
    except OSError:
        pass
for path in TOLD["secret folders"] + ["/home", "/root", "/var/lib", "/sys/kernel", "/sys/fs/cgroup"]:
    try:
        breach("listed %s: %s" % (path, os.listdir(path)[:5]))
    except OSError:
        pass
if any(secret in value.encode() for value in os.environ.values()):
    breach("has the secret in its environment")
for name in filter(str.isdigit, os.listdir("/proc")):
    for file in ("environ", "cmdline"):
        try:
            with open("/proc/%s/%s" % (name, file), "rb") as handle:
                text = handle.read()
        except OSError:
            continue
        # Its own processes have the environment that every bot is given.
        if file == "environ" and text and b"LOGNAME=bot" not in text:
            breach("read /proc/%s/environ" % name)
        # Without namespaces the command lines of others can be seen: that is known.
        if secret in text and (file == "environ" or TOLD["level"] in ("namespaces", "full")):
            breach("read a secret in /proc/%s/%s" % (name, file))
with open("/proc/self/mountinfo") as file:
    if TOLD["secret folders"][0] in file.read():
        breach("sees the host's mounts")
refused()
