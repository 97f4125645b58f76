# Has more to say than anybody wants to hear.
while read -r line; do
    case $line in
        ugi) echo ugiok ;;
        isready) echo readyok ;;
        go*) exec yes "info string and another thing" ;;
    esac
done
