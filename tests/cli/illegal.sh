# Faults of an execution: an illegal address is the kernel's, too little memory may pass.
try() { echo "\$ $*"; "$@"; echo "-> $?"; }
WARPSTUDY_FAULT=counts:illegal@2,frame:oom@2 \
    try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db illegal.db --set collect=counts,frame --device emulator 2>&1 |
    sed 's/invalid address 0x[0-9a-f]*/invalid address/; s/no [0-9]* bytes/no N bytes/'
try warpstudy query --db illegal.db "SELECT collection, status, count(*) AS n FROM attempt GROUP BY 1, 2"
