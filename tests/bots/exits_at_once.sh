# Ends before it has said anything.
echo "nobody called main" >&2
exit 0
