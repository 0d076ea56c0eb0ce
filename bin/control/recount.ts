/** `bin/ctl recount`: counters beside the rows they count, in every service that keeps counters. */
import { recountAccounts } from '@murmuration/contracts/accounts'
import { recountStatuses } from '@murmuration/contracts/statuses'
import type { Command } from './command.js'
import type { Operator } from './operator.js'

type Recount = typeof recountAccounts | typeof recountStatuses
const COUNTED: Record<string, Recount> = { accounts: recountAccounts, statuses: recountStatuses }

/** Page after page, because each holds its counters while it looks. */
const differencesOf = async (operator: Operator, service: string, repair: boolean) => {
  const found: { service: string; id: string; counter: string; kept: number; counted: number }[] = []
  for (let after: string | null = '0'; after !== null; ) {
    const page: Awaited<ReturnType<typeof operator.ask<Recount>>> = await operator.ask(COUNTED[service] as Recount, {
      after,
      repair,
    })
    found.push(...page.differences.map(({ repaired: _, ...one }) => ({ service, ...one })))
    after = page.last
  }
  return found
}

export const recountCommands: Command[] = [
  {
    name: 'recount',
    usage: 'recount [--check] [--service accounts|statuses]',
    about:
      'compares counters with what they count and puts them right; --check only says, and ends with 1 when any is wrong',
    async run(operator, _args, { check = false, service }) {
      const services = service ? [service] : Object.keys(COUNTED)
      const unknown = services.find((one) => !(one in COUNTED))
      if (unknown) throw new Error(`${unknown} keeps no counters; ${Object.keys(COUNTED).join(' and ')} do.`)
      const found = (await Promise.all(services.map((one) => differencesOf(operator, one, !check)))).flat()
      const lines = found.map((one) => `${one.service} ${one.id} ${one.counter}: ${one.kept}, counted ${one.counted}`)
      return {
        data: { differences: found, repaired: !check },
        text: [...lines, `${found.length} differences${found.length && !check ? ', put right' : ''}`].join('\n'),
        code: check && found.length ? 1 : 0,
      }
    },
  },
]
