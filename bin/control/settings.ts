/** Commands that read and change the settings of the server. */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { getSettings, setSetting } from '@murmuration/contracts/admin'
import { type Commands, examples } from './result.js'

/** Short names of server settings that the command line accepts. */
const SHORT: Record<string, string> = { registrations: 'registrations_mode' }
const MODES: Record<string, string> = {
  open: 'open',
  approval: 'approved',
  approved: 'approved',
  closed: 'none',
  none: 'none',
}

const wantedValue = (name: string, given: string): string => {
  if (name !== 'registrations_mode') return given
  const mode = MODES[given]
  if (mode === undefined) throw new InvalidArgumentError('registrations is open, approval or closed.')
  return mode
}

export const addSettingCommands = ({ group, run }: Commands): void => {
  const setting = group('setting', 'Settings that staff may change; docs/reference/settings.md explains each.')
  setting
    .command('set <name> <value>')
    .description('Change a setting. Put a value with spaces into quotation marks.')
    .addHelpText('after', examples('setting set registrations approval', 'setting set site_title "My Server"'))
    .action(async (given, value) => {
      const name = SHORT[given] ?? given
      const wanted = { name, value: wantedValue(name, value) }
      await run(async (operator) => {
        const response = await operator.call(setSetting, wanted)
        return { data: response, text: `${name} = ${JSON.stringify(response.value)}` }
      })()
    })
  setting
    .command('list')
    .description('List all settings with their values.')
    .action(
      run(async (operator) => {
        const { settings } = await operator.call(getSettings, {})
        const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
        return { data: settings, text: lines.join('\n') }
      }),
    )
}
