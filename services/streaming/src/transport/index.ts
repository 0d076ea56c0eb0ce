/** What other modules use of the transports. */
export { createEventStreams } from './event-stream.js'
export { createWebSockets } from './web-socket.js'
