/** Main loop of a program in bench/limits that generates its own load. */
import { type LoadPlan, load } from './load.js'

/** Sends `ready`, then runs each received plan and sends its result. `one` is one operation; its number grows over all plans. */
export const runPlans = (one: (i: number) => Promise<unknown>): void => {
  let done = 0
  process.on('message', async (plan: LoadPlan) => {
    try {
      process.send?.(await load(plan, () => one(done++)))
    } catch (error) {
      process.stderr.write(`${(error as Error).stack}\n`)
      process.exit(1)
    }
  })
  process.on('SIGTERM', () => process.exit(0))
  process.send?.('ready')
}
