/**
 * Entry point of a process that decodes pictures one at a time, so that a flaw in a decoder affects nothing else (A162,
 * D053).
 */
import { type Order, render, restrict } from '../image/image.js'

restrict(process.argv.includes('avif'))
// Threads that are still busy would delay an ordinary exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', async (order: Order) => {
  process.send?.(await render(order))
})
