// Runs a WebAssembly program with its arguments; its exit code is the program's.
//
//     node tests/wasi.mjs PROGRAM [ARGUMENT...]
//
// (The lane of tests/check.sh compiles at -O1: what clang 14 makes of the library at -O2 with -msimd128 stops in an assertion of
// the hash suite. At -O1, with and without SIMD, the hash is that of all lanes.)
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, preopens: { '.': '.' }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(args[0]));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exit(wasi.start(instance));
