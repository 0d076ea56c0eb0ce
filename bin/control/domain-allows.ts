/** Commands for allowed servers in limited federation mode. */
import {
  createDomainAllowByOperator,
  findDomainAllows,
  removeDomainAllowByOperator,
} from '@murmuration/contracts/admin'
import type { AdminDomainAllow } from '@murmuration/contracts/entities'
import { chunk } from '@murmuration/flow'
import { normaliseDomain } from '@murmuration/text'
import { ROWS_OF_REQUEST, readList, tableText } from './domain-list.js'
import type { Operator } from './operator.js'
import { type Commands, createProgress, DRY_RUN, everyPage, NONE, removeOrReport } from './result.js'

const everyAllow = async (operator: Operator): Promise<AdminDomainAllow[]> =>
  (await everyPage((after) => operator.call(findDomainAllows, { after }))).flatMap((page) => page.allows)

const allow = async (operator: Operator, domains: readonly string[]) => {
  const results: { domain: string; outcome: string }[] = []
  const progress = createProgress()
  for (const page of chunk(domains, ROWS_OF_REQUEST)) {
    results.push(...(await operator.call(createDomainAllowByOperator, { domains: page })).results)
    progress(`${results.length} of ${domains.length} domains`)
  }
  return {
    data: results,
    text: results.map((one) => `${one.domain}  ${one.outcome}`).join('\n') || 'The list has no domains.',
    code: results.some((one) => one.outcome === 'invalid') ? 1 : 0,
  }
}

export const addDomainAllowCommands = ({ group, run }: Commands): void => {
  const domain = group('domain-allow', 'Servers that are allowed while LIMITED_FEDERATION_MODE is on.')
  domain
    .command('list')
    .description('List allowed servers by domain.')
    .action(
      run(async (operator) => {
        const allows = await everyAllow(operator)
        return { data: allows, text: allows.map((one) => one.domain).join('\n') || NONE }
      }),
    )
  domain
    .command('add <domains...>')
    .description('Allow servers.')
    .action(run((operator, domains) => allow(operator, domains)))
  domain
    .command('remove <domain>')
    .description('No longer allow a server; while federation is limited, its accounts are suspended.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, wanted, flags) =>
        removeOrReport(
          flags,
          async () =>
            (await everyAllow(operator)).find((one) => one.domain === normaliseDomain(wanted))?.domain ?? null,
          () => operator.call(removeDomainAllowByOperator, { domain: wanted }),
        ),
      ),
    )
  domain
    .command('export')
    .description('Print the list in the form that other servers read (CSV).')
    .action(
      run(async (operator) => {
        const rows = [['#domain'], ...(await everyAllow(operator)).map((one) => [one.domain])]
        return { data: rows, text: tableText(rows) }
      }),
    )
  domain
    .command('import <file>')
    .description('Allow every server in a list (CSV; - reads the standard input).')
    .action(async (file) => {
      const { columns, rows } = readList(file)
      const at = Math.max(0, columns?.findIndex((name) => name.trim().toLowerCase() === '#domain') ?? 0)
      const domains = rows.map((row) => row[at]?.trim() ?? '').filter((one) => one !== '')
      await run((operator) => allow(operator, domains))()
    })
}
