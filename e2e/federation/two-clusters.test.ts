/** Two clusters of this product on two domains, with TLS and every outbound guard. */
import { reportInside } from './run-inside.js'

await reportInside('federation.inside.ts', ['one.example', 'two.example'])
