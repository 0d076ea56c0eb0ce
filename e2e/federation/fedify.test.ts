/** One cluster and two servers with other software, with TLS and every outbound guard. */
import { reportInside } from './run-inside.js'

await reportInside('fedify.inside.ts', ['one.example', 'two.example', 'cavage.example', 'rfc9421.example'])
