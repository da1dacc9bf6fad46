#!/bin/sh
# archive_command = '/opt/partner-consent/deploy/backup/archive-wal.sh %p %f /backups/wal'
# Copies a WAL segment once, whole and on the disk before PostgreSQL is told; never over another one.
set -eu
from=$1 name=$2 archive=$3
if [ -e "$archive/$name" ]; then
  cmp -s "$from" "$archive/$name" && exit 0
  echo "$archive/$name is there with other contents" >&2
  exit 1
fi
cp "$from" "$archive/.$name.part"
sync "$archive/.$name.part"
mv "$archive/.$name.part" "$archive/$name"
sync "$archive"
