#!/usr/bin/env bash
cat > vpl_execution <<'SCRIPT'
#!/usr/bin/env bash
./agon_check.sh
SCRIPT
chmod +x vpl_execution agon agon_check.sh
