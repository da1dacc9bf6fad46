#!/bin/sh
# restore.sh BACKUP_FOLDER WAL_ARCHIVE NEW_DATA_DIRECTORY [TIME]: a data directory that recovers to TIME ("2026-01-31 12:00:00+00") or to
# the end of the archive, and then takes writes. Start PostgreSQL on it as the user that owns it; then the service, with
# REVOCATION_JOURNAL, which carries out again what was withdrawn since TIME before it serves.
set -eu
backup=$1 archive=$2 data=$3 time=${4:-}
[ ! -e "$data" ] || { echo "$data is there already: a restore needs a new directory" >&2; exit 1; }
cp -R "$backup/base" "$data"
chmod 700 "$data"
rm -rf "$data"/pg_wal/*
{
  echo "restore_command = 'cp \"$archive/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  # The last line of a name counts. Those of an earlier restore are in the backups of what it restored.
  for target in '' _name _xid _lsn; do echo "recovery_target$target = ''"; done
  echo "recovery_target_time = '$time'"
} >> "$data/postgresql.auto.conf"
touch "$data/recovery.signal"
