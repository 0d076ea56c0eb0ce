/** Two whole clusters of our own on two domains, with TLS and every outbound guard on. */
import { reportInside } from './run-inside.js'

await reportInside('federation.inside.ts', ['one.example', 'two.example'])
