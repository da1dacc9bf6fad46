// The fuzzer of the OpenAPI document; `PROOFS=long` makes it long.
import '../rest-bridge/openapiFuzz.test.js';
