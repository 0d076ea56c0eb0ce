/** One cluster beside servers of other people's software, with TLS and every outbound guard on, on both sides. */
import { reportInside } from './run-inside.js'

await reportInside('fedify.inside.ts', ['one.example', 'two.example', 'cavage.example', 'rfc9421.example'])
