# A user that exists for one run of .ci/run: the tests must pass for everyone, in a fresh clone and a clean login shell.
# Sourced by .ci/run; needs root.

create_ordinary_user() {
  local name
  for name in contextd-ci-{1..99}; do
    if getent passwd "$name" >/dev/null || getent group "$name" >/dev/null || [ -e "/home/$name" ]; then continue; fi
    # Another run may be faster: then the next name is free.
    useradd --create-home --home-dir "/home/$name" --shell /bin/bash "$name" || continue
    export ordinary_user=$name
    return
  done
  echo "No user could be created for the tests." >&2
  return 1
}

test_as_ordinary_user() {
  local home=/home/$ordinary_user cache node_folder
  echo "As $ordinary_user, in a fresh clone of $(git rev-parse --short HEAD):"
  # A hard link would change the owner of our own files.
  git clone --quiet --no-hardlinks . "$home/contextd" || return
  npm_settings >"$home/.npmrc"
  # What was just installed need not be fetched again.
  cache=$(npm config get cache)/_cacache
  if [ -d "$cache" ]; then mkdir "$home/.npm" && cp -r "$cache" "$home/.npm/"; fi
  chown -R "$ordinary_user:" "$home" || return
  # For a Node that is not installed for everyone, but can be run by everyone.
  node_folder=$(dirname "$(command -v node)")
  su - "$ordinary_user" -c "
    case :\$PATH: in *:$node_folder:*) ;; *) PATH=$node_folder:\$PATH ;; esac
    export NO_COLOR=1
    cd contextd && npm ci --prefer-offline && npm test
  " </dev/null
}

# Where packages come from is a setting of the machine; no password or token is passed on.
npm_settings() {
  local key value
  for key in registry cafile proxy https-proxy noproxy; do
    value=$(npm config get "$key")
    case $value in '' | null | undefined | *@*) ;; *) echo "$key=$value" ;; esac
  done
}

remove_ordinary_user() {
  [ -n "${ordinary_user-}" ] || return 0
  # All it started, whatever it was detached from.
  su "$ordinary_user" -c 'kill -KILL -1' 2>/dev/null
  find /tmp -maxdepth 1 -user "$ordinary_user" -exec rm -rf {} +
  # Processes that were killed may take a moment to go.
  local attempt
  for attempt in {1..50}; do
    userdel --remove "$ordinary_user" 2>/dev/null
    if ! getent passwd "$ordinary_user" >/dev/null; then
      rm -rf "/home/$ordinary_user"
      return
    fi
    sleep 0.2
  done
  echo "The user $ordinary_user could not be removed." >&2
}
