/** The exports of this module for other modules: connections. */
export {
  type Connection,
  deliver,
  newConnection,
  type Outgoing,
  TOO_SLOW,
  type Transport,
} from './connection.js'
export { createGap, type Gap } from './gap.js'
export { keptSince } from './presence.store.js'
export { createRegistry, type Registry } from './registry.js'
