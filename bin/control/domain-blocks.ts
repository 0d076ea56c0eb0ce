/** Commands for domain blocks, single ones and lists. */
import { basename } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import {
  createDomainBlockByOperator,
  exportDomainBlocks,
  findDomainBlocks,
  type ImportedBlock,
  importDomainBlocks,
  removeDomainBlockByOperator,
} from '@murmuration/contracts/admin'
import type { AdminDomainBlock } from '@murmuration/contracts/entities'
import type { ResultOf } from '@murmuration/contracts/kit'
import { chunk } from '@murmuration/flow'
import { normaliseDomain } from '@murmuration/text'
import { ROWS_OF_REQUEST, readList, tableText } from './domain-list.js'
import type { Operator } from './operator.js'
import { type Commands, createProgress, DRY_RUN, everyPage, examples, NONE, removeOrReport } from './result.js'

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

const everyBlock = async (operator: Operator): Promise<AdminDomainBlock[]> =>
  (await everyPage((after) => operator.call(findDomainBlocks, { after }))).flatMap((page) => page.blocks)

const importedLine = (one: ImportedBlock, dry: boolean): string => {
  if (one.outcome === 'invalid') return `${one.domain}  not imported: ${one.reason}`
  if (one.outcome === 'known')
    return `${one.domain}  not changed: ${one.existing?.domain} has the block ${one.existing?.severity}`
  const { accounts = 0, following = 0, followers = 0 } = one.ties ?? {}
  const cuts = one.severity === 'suspend' && following + followers > 0
  const ties = `${accounts} accounts, ${following} follows from here, ${followers} from there`
  return `${one.domain}  ${dry ? 'would get' : 'got'} ${one.severity}: ${ties}${cuts ? (dry ? ', which would end' : ', which end') : ''}`
}

const importBlocks = async (operator: Operator, path: string, dry: boolean) => {
  const { columns, rows } = readList(path)
  const source = path === '-' ? 'a list' : basename(path)
  const results: ImportedBlock[] = []
  const progress = createProgress()
  let batch_id: string | null = null
  for (const page of chunk(rows, ROWS_OF_REQUEST)) {
    const more = batch_id === null ? {} : { batch_id }
    const part: ResultOf<(typeof importDomainBlocks)['output']> = await operator.call(importDomainBlocks, {
      columns,
      rows: page,
      source,
      dry_run: dry,
      ...more,
    })
    results.push(...part.results)
    batch_id ??= part.batch_id
    progress(`${results.length} of ${rows.length} rows`)
  }
  const many = (outcome: ImportedBlock['outcome']) => results.filter((one) => one.outcome === outcome).length
  const sum = `${many('blocked')} ${dry ? 'would be blocked' : 'blocked'}, ${many('known')} known before, ${many('invalid')} not imported`
  return {
    data: results,
    text: [...results.map((one) => importedLine(one, dry)), sum].join('\n'),
    code: many('invalid') > 0 ? 1 : 0,
  }
}

const addSingle = ({ group, run }: Commands): void => {
  const domain = group('domain-block', 'Blocked and limited servers.')
  domain
    .command('list')
    .description('List blocked and limited servers by domain.')
    .action(
      run(async (operator) => {
        const blocks = await everyBlock(operator)
        return { data: blocks, text: blocks.map(line).join('\n') || NONE }
      }),
    )
  domain
    .command('add <domain>')
    .description('Limit or block a server and everything below its domain, or change its block.')
    .addOption(
      new Option('--severity <severity>', 'what is done to its accounts').choices([
        'silence',
        'suspend',
        'noop',
      ] as const),
    )
    .option('--reject-media', 'store no media of it')
    .option('--no-reject-media', 'undo --reject-media')
    .option('--reject-reports', 'ignore its reports')
    .option('--no-reject-reports', 'undo --reject-reports')
    .option('--obfuscate', 'hide a part of the domain in the public list')
    .option('--no-obfuscate', 'undo --obfuscate')
    .option('--comment <text>', 'reason in the public list')
    .option('--private-comment <text>', 'note for staff')
    .addHelpText('after', examples('domain-block add spam.example --severity suspend --comment "Spam"'))
    .action((one, flags, command) => {
      // For a flag with a `--no-` form, the library commander returns true if the operator typed neither form. In that
      // case, the setting must not be changed.
      const typed = (name: 'rejectMedia' | 'rejectReports' | 'obfuscate'): boolean | undefined =>
        command.getOptionValueSource(name) === 'cli' ? flags[name] : undefined
      return run(async (operator) => {
        const made = await operator.call(createDomainBlockByOperator, {
          domain: one,
          severity: flags.severity,
          reject_media: typed('rejectMedia'),
          reject_reports: typed('rejectReports'),
          obfuscate: typed('obfuscate'),
          public_comment: flags.comment,
          private_comment: flags.privateComment,
        })
        return { data: made, text: line(made) }
      })()
    })
  domain
    .command('remove <domain>')
    .description('Remove a block. Follows that it ended do not come back.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, wanted, flags) =>
        removeOrReport(
          flags,
          async () =>
            (await everyBlock(operator)).filter((one) => one.domain === normaliseDomain(wanted)).map(line)[0] ?? null,
          () => operator.call(removeDomainBlockByOperator, { domain: wanted }),
        ),
      ),
    )
}

export const addDomainBlockCommands = (commands: Commands): void => {
  const { group, run } = commands
  addSingle(commands)
  const domain = group('domain-block', '')
  domain
    .command('export')
    .description('Print the list in the form that other servers read (CSV).')
    .action(
      run(async (operator) => {
        const rows = (await everyPage((after) => operator.call(exportDomainBlocks, { after }))).flatMap(
          (page) => page.rows,
        )
        return { data: rows, text: tableText(rows) }
      }),
    )
  domain
    .command('import <file>')
    .description('Block every domain in a list (CSV; - reads the standard input).')
    .option('--dry-run', 'only say what would be blocked, and which follows would end')
    .action(run((operator, file, { dryRun }) => importBlocks(operator, file, dryRun ?? false)))
}
