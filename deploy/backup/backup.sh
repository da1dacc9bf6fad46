#!/bin/sh
# backup.sh DATABASE_URL FOLDER: a base backup that can be restored to any time since, and a dump for single tables.
# The role needs REPLICATION (a superuser has it). WAL goes on being archived by archive-wal.sh.
set -eu
# Debian keeps pg_verifybackup beside the server, off the path.
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -Vr | paste -sd: -)
url=$1 folder=$2/$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder"
pg_basebackup --dbname="$url" --pgdata="$folder/base" --format=plain --wal-method=stream --checkpoint=fast
pg_verifybackup --quiet "$folder/base"
pg_dump --dbname="$url" --format=custom --file="$folder/database.dump"
echo "$folder"
