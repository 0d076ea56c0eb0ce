/** Commands about blocks of other servers: making, changing and lifting them, and lists of them. */
import { basename } from 'node:path'
import {
  domainBlockExport,
  domainBlockFind,
  domainBlockImport,
  domainBlockLift,
  domainBlockPlace,
  type ImportedBlock,
} from '@murmuration/contracts/admin'
import type { AdminDomainBlock } from '@murmuration/contracts/entities'
import { type Command, type Flags, needed } from './command.js'
import { pagesOf, readList, tableText } from './domain-list.js'
import type { Operator } from './operator.js'

const line = (one: AdminDomainBlock): string =>
  [
    one.domain,
    one.severity,
    one.reject_media && 'no media',
    one.reject_reports && 'no reports',
    one.obfuscate && 'obfuscated',
    one.public_comment && JSON.stringify(one.public_comment),
    one.private_comment && `(${one.private_comment})`,
  ]
    .filter(Boolean)
    .join('  ')

const measuresOf = (flags: Flags) => ({
  severity: flags.severity,
  reject_media: flags['reject-media'],
  reject_reports: flags['reject-reports'],
  public_comment: flags.comment,
  private_comment: flags['private-comment'],
  obfuscate: flags.obfuscate,
})

const everyBlock = async (operator: Operator): Promise<AdminDomainBlock[]> => {
  const found: AdminDomainBlock[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { blocks: AdminDomainBlock[]; next: string | null } = await operator.ask(domainBlockFind, { after })
    found.push(...page.blocks)
    after = page.next
  }
  return found
}

const exportedRows = async (operator: Operator): Promise<string[][]> => {
  const rows: string[][] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { rows: string[][]; next: string | null } = await operator.ask(domainBlockExport, { after })
    rows.push(...page.rows)
    after = page.next
  }
  return rows
}

const told = (one: ImportedBlock, dry: boolean): string => {
  if (one.outcome === 'invalid') return `${one.domain}  not taken: ${one.reason}`
  if (one.outcome === 'known') return `${one.domain}  has a block, or its parent has; stays as it is`
  const { accounts = 0, following = 0, followers = 0 } = one.ties ?? {}
  const cuts = one.severity === 'suspend' && following + followers > 0
  const ties = `${accounts} accounts, ${following} follows from here, ${followers} from there`
  return `${one.domain}  ${dry ? 'would get' : 'got'} ${one.severity}: ${ties}${cuts ? (dry ? ', which would end' : ', which end') : ''}`
}

export const domainBlockCommands: Command[] = [
  {
    name: 'domain-block list',
    usage: 'domain-block list',
    about: 'blocked and limited servers, by domain',
    async run(operator) {
      const blocks = await everyBlock(operator)
      return { data: blocks, text: blocks.map(line).join('\n') || 'There are none.' }
    },
  },
  {
    name: 'domain-block add',
    usage:
      'domain-block add DOMAIN [--severity silence|suspend|noop] [--reject-media] [--reject-reports] [--obfuscate] [--comment T] [--private-comment T]',
    about:
      'limits or blocks a server and everything below its domain; changes the block it has, --no-… takes a flag back',
    async run(operator, [domain], flags) {
      const made = await operator.ask(domainBlockPlace, { domain: needed(domain, 'DOMAIN'), ...measuresOf(flags) })
      return { data: made, text: line(made) }
    },
  },
  {
    name: 'domain-block remove',
    usage: 'domain-block remove DOMAIN',
    about: 'lifts a block; follows that it ended do not come back',
    async run(operator, [domain]) {
      await operator.ask(domainBlockLift, { domain: needed(domain, 'DOMAIN') })
      return { data: {}, text: 'Removed.' }
    },
  },
  {
    name: 'domain-block export',
    usage: 'domain-block export',
    about: 'prints the list as other servers read it (CSV)',
    async run(operator) {
      const rows = await exportedRows(operator)
      return { data: rows, text: tableText(rows) }
    },
  },
  {
    name: 'domain-block import',
    usage: 'domain-block import FILE [--dry-run]',
    about: 'blocks what a list names (CSV, - is the input); --dry-run only tells, also what it would cut',
    async run(operator, [file], flags) {
      const path = needed(file, 'FILE')
      const { columns, rows } = readList(path)
      const source = path === '-' ? 'a list' : basename(path)
      const dry = flags['dry-run'] ?? false
      const results: ImportedBlock[] = []
      for (const page of pagesOf(rows))
        results.push(...(await operator.ask(domainBlockImport, { columns, rows: page, source, dry })).results)
      const many = (outcome: ImportedBlock['outcome']) => results.filter((one) => one.outcome === outcome).length
      const sum = `${many('blocked')} ${dry ? 'would be blocked' : 'blocked'}, ${many('known')} known before, ${many('invalid')} not taken`
      return { data: results, text: [...results.map((one) => told(one, dry)), sum].join('\n') }
    },
  },
]
