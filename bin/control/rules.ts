/** Commands for the rules of the server, which users accept at sign-up and which reports refer to. */
import { Argument, InvalidArgumentError } from '@commander-js/extra-typings'
import { createRule, listRules, removeRule, updateRule } from '@murmuration/contracts/admin'
import type { Rule } from '@murmuration/contracts/entities'
import { type Commands, DRY_RUN, examples, idOf, NONE, numberUpTo, removeOrReport } from './result.js'

const line = (one: Rule): string => {
  const languages = Object.keys(one.translations).join(', ')
  return `${one.id}  ${one.text}${one.hint ? ` (${one.hint})` : ''}${languages ? `  [${languages}]` : ''}`
}
const id = () => new Argument('<id>', 'number of the rule').argParser(idOf)
const HINT = ['--hint <text>', 'explanation below the rule'] as const

export const addRuleCommands = ({ group, run }: Commands): void => {
  const rule = group('rule', 'Rules of the server.')
  rule
    .command('add <text>')
    .description('Add a rule after the others.')
    .option(...HINT)
    .addHelpText('after', examples('rule add "No advertisements." --hint "Also not in the profile."'))
    .action(
      run(async (operator, text, { hint }) => {
        const made = await operator.call(createRule, { text, ...(hint ? { hint } : {}) })
        return { data: made, text: line(made) }
      }),
    )
  rule
    .command('list')
    .description('List all rules in their order, with the languages of their translations.')
    .action(
      run(async (operator) => {
        const rules = await operator.call(listRules, {})
        return { data: rules, text: rules.map(line).join('\n') || NONE }
      }),
    )
  rule
    .command('change')
    .addArgument(id())
    .argument('[text]', 'new text')
    .description('Change the text, the hint or the place of a rule.')
    .option(...HINT)
    .option('--priority <number>', 'place among the rules: lower numbers come first', numberUpTo(1_000_000))
    .action((rule, text, { hint, priority }) => {
      if ([text, hint, priority].every((one) => one === undefined))
        throw new InvalidArgumentError('Nothing to change: give a text or a flag.')
      return run(async (operator) => {
        const changed = await operator.call(updateRule, { id: rule, text, hint, ...(priority && { priority }) })
        return { data: changed, text: line(changed) }
      })()
    })
  rule
    .command('translate')
    .addArgument(id())
    .argument('<language>', 'code of the language, such as de')
    .argument('<text>', 'text in that language')
    .description('Add or change the translation of a rule.')
    .option(...HINT)
    .addHelpText('after', examples('rule translate 1 de "Keine Werbung."'))
    .action(
      run(async (operator, rule, language, text, { hint }) => {
        const old = (await operator.call(listRules, {})).find((one) => one.id === rule)
        if (!old) throw new Error(`There is no rule ${rule}.`)
        const known = old.translations[language]?.hint ?? ''
        const translations = { ...old.translations, [language]: { text, hint: hint ?? known } }
        const changed = await operator.call(updateRule, { id: old.id, translations })
        return { data: changed, text: line(changed) }
      }),
    )
  rule
    .command('remove')
    .addArgument(id())
    .description('Remove a rule. Existing reports keep their reference to it.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, rule, flags) =>
        removeOrReport(
          flags,
          async () => (await operator.call(listRules, {})).filter((one) => one.id === rule).map(line)[0] ?? null,
          () => operator.call(removeRule, { id: rule }),
        ),
      ),
    )
}
