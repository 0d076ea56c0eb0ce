/** Commands for warning presets, which are prepared texts for actions on accounts. */
import { Argument, InvalidArgumentError } from '@commander-js/extra-typings'
import {
  createWarningPreset,
  listWarningPresets,
  removeWarningPreset,
  showWarningPreset,
  updateWarningPreset,
} from '@murmuration/contracts/admin'
import type { AdminWarningPreset } from '@murmuration/contracts/entities'
import { type Commands, DRY_RUN, everyPage, examples, idOf, NONE, removeOrReport } from './result.js'

const PAGE = 200
const line = ({ id, title, text }: AdminWarningPreset): string =>
  `${id}  ${title ? `${title}: ` : ''}${text.replaceAll('\n', ' ')}`
const id = () => new Argument('<id>', 'number of the preset').argParser(idOf)
const TITLE = ['--title <title>', 'title for staff, which account holders do not see'] as const

export const addWarningPresetCommands = ({ group, run }: Commands): void => {
  const preset = group('warning-preset', 'Prepared texts for warnings.')
  preset
    .command('add <text>')
    .description('Add a preset.')
    .option(...TITLE)
    .addHelpText('after', examples('warning-preset add "Advertising is not allowed here." --title Spam'))
    .action(
      run(async (operator, text, { title }) => {
        const made = await operator.call(createWarningPreset, { text, ...(title === undefined ? {} : { title }) })
        return { data: made, text: line(made) }
      }),
    )
  preset
    .command('list')
    .description('List all presets, newest first.')
    .action(
      run(async (operator) => {
        const pages = await everyPage(async (after) => {
          const page = { limit: PAGE, ...(after === '' ? {} : { max_id: after }) }
          const presets = await operator.call(listWarningPresets, page)
          return { presets, next: presets.length < PAGE ? null : (presets.at(-1)?.id ?? null) }
        })
        const presets = pages.flatMap((page) => page.presets)
        return { data: presets, text: presets.map(line).join('\n') || NONE }
      }),
    )
  preset
    .command('update')
    .addArgument(id())
    .argument('[text]', 'new text')
    .description('Change the text or the title of a preset.')
    .option(...TITLE)
    .action((number, text, { title }) => {
      if (text === undefined && title === undefined)
        throw new InvalidArgumentError('Nothing to change: give a text or --title.')
      return run(async (operator) => {
        const changed = await operator.call(updateWarningPreset, { id: number, text, title })
        return { data: changed, text: line(changed) }
      })()
    })
  preset
    .command('remove')
    .addArgument(id())
    .description('Remove a preset. Existing strikes keep their text.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, number, flags) =>
        removeOrReport(
          flags,
          async () => line(await operator.call(showWarningPreset, { id: number })),
          () => operator.call(removeWarningPreset, { id: number }),
        ),
      ),
    )
}
