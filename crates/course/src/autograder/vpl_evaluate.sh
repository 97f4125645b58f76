#!/usr/bin/env bash
cat > vpl_execution <<'SCRIPT'
#!/usr/bin/env bash
said="$(./agon_check.sh)"
code=$?
[ -r vpl_environment.sh ] && . ./vpl_environment.sh
echo '<|--'
printf '%s\n' "$said"
echo '--|>'
if [ "$code" = 0 ]; then echo "Grade :=>> ${VPL_GRADEMAX:-100}"; else echo "Grade :=>> 0"; fi
SCRIPT
chmod +x vpl_execution agon agon_check.sh
