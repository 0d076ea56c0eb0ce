/** Names of this module that other modules use: the transports. */
export { createEventStreams } from './event-stream.js'
export { createWebSockets } from './web-socket.js'
