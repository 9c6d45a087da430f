# counted-start.sh FOLDER: a small MCP server, for tests that need many. While it starts, a file in FOLDER marks it,
# and FOLDER/seen has a line for each start: how many were starting at that time. Its tool returns its process id.
folder=$1
: > "$folder/starting.$$"
set -- "$folder"/starting.*
echo $# >> "$folder/seen"
sleep 0.02
while IFS= read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*)
      rm "$folder/starting.$$"
      result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"counted","version":"1"}}' ;;
    *'"method":"tools/list"'*) result='{"tools":[{"name":"pid","inputSchema":{"type":"object"}}]}' ;;
    *) result='{"content":[{"type":"text","text":"'$$'"}]}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
