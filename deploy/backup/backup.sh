#!/bin/sh
# backup.sh URL FOLDER: a base backup that can be restored to any time since, and a dump for single tables, for the account that
# runs it alone. URL is that of a superuser, or of a role with REPLICATION, BYPASSRLS and pg_read_all_data: row level security keeps
# the owner of the tables from dumping them. WAL goes on being archived by archive-wal.sh.
set -eu
umask 077
# Debian keeps pg_verifybackup beside the server, off the path.
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -Vr | paste -sd: -)
url=$1 folder=$2/$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder"
pg_basebackup --dbname="$url" --pgdata="$folder/base" --format=plain --wal-method=stream --checkpoint=fast
pg_verifybackup --quiet "$folder/base"
pg_dump --dbname="$url" --format=custom --file="$folder/database.dump"
echo "$folder"
