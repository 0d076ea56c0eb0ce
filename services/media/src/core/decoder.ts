/** A process of its own that decodes pictures, one at a time, so that a flaw in a decoder harms nothing else (A162, D053). */
import { type Order, render, restrict } from './image.js'

restrict(process.argv.includes('avif'))
// Work on other threads would hold back an ordinary exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', async (order: Order) => {
  process.send?.(await render(order))
})
