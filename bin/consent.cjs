#!/usr/bin/env node
// The operators' commands: `consent apps list`. Installs and builds first where that was not done yet.
'use strict';

process.argv.splice(2, 0, 'script', 'dist/src/cli/consent.js');
require('./launch.cjs');
