/** The exports of this module for other modules: the transports. */
export { createEventStreams } from './event-stream.js'
export { createWebSockets } from './web-socket.js'
