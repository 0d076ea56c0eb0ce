/** The command that publishes terms of service. */
import { publishTermsOfService } from '@murmuration/contracts/admin'
import { readNamed } from './named-file.js'
import { type Commands, dayOf, examples } from './result.js'

export const addTermsCommands = ({ group, run }: Commands): void => {
  group('terms', 'Terms of service.')
    .command('publish <file>')
    .description('Publish terms of service, written in Markdown.')
    .requiredOption('--from <day>', 'first day on which they apply', dayOf)
    .addHelpText('after', examples('terms publish terms.md --from 2026-12-31'))
    .action(async (file, { from }) => {
      const text = readNamed(file).toString()
      await run(async (operator) => {
        const made = await operator.call(publishTermsOfService, { text, effective_date: from })
        return { data: made, text: `The terms of service apply from ${made.effective_date}.` }
      })()
    })
}
