/** The inside of a small program that stands for a physical limit and makes its own load when it is told to. */
import { type LoadPlan, load } from './load.js'

/** Answers each plan that the bench sends with what came of it; says when it is ready. */
export const answerPlans = (one: (i: number) => Promise<unknown>): void => {
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
