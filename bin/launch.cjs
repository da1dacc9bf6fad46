// The first file that runs on a fresh clone, under whatever Node there is: old syntax, no imports, so that a
// Node that is too old gets a sentence instead of a SyntaxError.
'use strict';

var OLDEST = [20, 19];
var have = process.versions.node.split('.').map(Number);

if (have[0] < OLDEST[0] || (have[0] === OLDEST[0] && have[1] < OLDEST[1])) {
  console.error(
    'This service needs Node ' + OLDEST.join('.') + ' or newer; this is Node ' + process.versions.node + '.',
  );
  console.error('Install a current version from https://nodejs.org and run the command again.');
  process.exit(1);
}

require('./run.cjs')(process.argv[2], process.argv.slice(3));
