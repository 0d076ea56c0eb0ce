/** Limit of the scenario `stream`: a WebSocket server that only sends the same bytes to every connection. */
import { WebSocketServer } from 'ws'

const [port = '0'] = process.argv.slice(2)
const server = new WebSocketServer({ port: Number(port), host: '127.0.0.1', perMessageDeflate: false })
server.on('listening', () => process.send?.('ready'))
process.on('message', (text) => {
  const bytes = Buffer.from(String(text))
  for (const socket of server.clients) socket.send(bytes, { binary: false })
})
process.on('SIGTERM', () => process.exit(0))
