#!/bin/sh
# restore.sh BACKUP_FOLDER WAL_ARCHIVE NEW_DATA_DIRECTORY [TIME [TIMELINE]]: a data directory that recovers to TIME
# ("2026-01-31 12:00:00+00") or, with '' or without it, to the end of the archive, and then takes writes. Start PostgreSQL on it as
# the user that owns it; then the service, with REVOCATION_JOURNAL, which carries out again what was withdrawn since TIME before it
# serves. TIMELINE (a number or `latest`) is needed where the archive has a timeline later than that of the backup: each restore to
# a time begins one, and what was committed on another is not on it.
set -eu
backup=$1 archive=$2 data=$3 time=${4:-} timeline=${5:-}
[ ! -e "$data" ] || { echo "$data is there already: a restore needs a new directory" >&2; exit 1; }
own=$(sed -n 's/^START TIMELINE: //p' "$backup/base/backup_label")
later=
for history in "$archive"/*.history; do
  [ -e "$history" ] || continue
  name=$(basename "$history" .history)
  [ "$((0x$name))" -le "$own" ] || later="$later $((0x$name))"
done
if [ -n "$later" ] && [ -z "$timeline" ]; then
  echo "The backup is of timeline $own, and the archive has later ones:$later. Each begins where a restore to a time (or a standby)" >&2
  echo "took over, and lacks what others committed after that. Say as the fifth argument which to follow: a number, or latest." >&2
  exit 1
fi
cp -R "$backup/base" "$data"
chmod 700 "$data"
rm -rf "$data"/pg_wal/*
{
  echo "restore_command = 'cp \"$archive/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  # The last line of a name counts. Those of an earlier restore are in the backups of what it restored.
  for target in '' _name _xid _lsn; do echo "recovery_target$target = ''"; done
  echo "recovery_target_time = '$time'"
  echo "recovery_target_timeline = '${timeline:-latest}'"
} >> "$data/postgresql.auto.conf"
touch "$data/recovery.signal"
