#!/bin/sh
# Builds the sandbox of Stryker, in which it stands: .tmp/mutants/sandbox-… below the project.
set -e
ln -s ../../../node_modules node_modules
exec node_modules/.bin/tsc -p tsconfig.json --incremental false
