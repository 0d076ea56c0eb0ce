/** `bin/ctl recount`: compares counters with the rows that they count, in every service that stores counters. */
import { Option } from '@commander-js/extra-typings'
import { recountAccounts } from '@murmuration/contracts/accounts'
import { recountStatuses } from '@murmuration/contracts/statuses'
import type { Operator } from './operator.js'
import { type Commands, createProgress } from './result.js'

type Recount = typeof recountAccounts | typeof recountStatuses
const COUNTED = { accounts: recountAccounts, statuses: recountStatuses }
type Service = keyof typeof COUNTED
const SERVICES = Object.keys(COUNTED) as Service[]

/**
 * Returns the counters of one service that differ from the rows that they count. The pages are requested one after the
 * other, because each request locks counters.
 */
const differencesOf = async (operator: Operator, service: Service, repair: boolean) => {
  const found: { service: string; id: string; counter: string; kept: number; counted: number }[] = []
  const progress = createProgress()
  for (let after: string | null = '0'; after !== null; ) {
    const page: Awaited<ReturnType<typeof operator.call<Recount>>> = await operator.call(COUNTED[service] as Recount, {
      after,
      repair,
    })
    found.push(...page.differences.map(({ repaired: _, ...one }) => ({ service, ...one })))
    after = page.last
    progress(`${service}: counted up to id ${after}`)
  }
  return found
}

export const addRecountCommands = ({ program, run }: Commands): void => {
  program
    .command('recount')
    .description('Compare counters with the rows that they count, and correct wrong ones.')
    .option('--check', 'only compare; the status is 1 when a counter is wrong')
    .addOption(new Option('--service <service>', 'only this service').choices(SERVICES))
    .action(
      run(async (operator, { check = false, service }) => {
        const services = service ? [service] : SERVICES
        const found = (await Promise.all(services.map((one) => differencesOf(operator, one, !check)))).flat()
        const lines = found.map((one) => `${one.service} ${one.id} ${one.counter}: ${one.kept}, counted ${one.counted}`)
        const sum = `${found.length} differences${found.length && !check ? ', corrected' : ''}`
        return {
          data: { differences: found, repaired: !check },
          text: [...lines, sum].join('\n'),
          code: check && found.length ? 1 : 0,
        }
      }),
    )
}
