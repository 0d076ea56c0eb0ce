/** What tests stand on: services on real stores, and the outside world as real servers on loopback. */
export * from './cluster.js'
export * from './databases.js'
export * from './holding.js'
export * from './live-listener.js'
export * from './log-lines.js'
export * from './nats-server.js'
export * from './plans.js'
export * from './processes.js'
