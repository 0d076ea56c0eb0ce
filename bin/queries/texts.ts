/** Generates the SQL texts that a query may have, from its templates. */
import type { Expression, Node, TaggedTemplateExpression } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import {
  isArrayLiteralExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
} from 'typescript/unstable/ast/is'
import { decided, type Frame, nothing, somePairs, type Text, top, Unresolved, type When, withWhen } from './frames.js'
import { createResolver } from './resolver.js'
import type { Sources } from './sources.js'

/** Maximum number of SQL texts of one query. If there are more, each branch of a condition is in at least one of the texts. */
const MAX_TEXTS = 48

/** Concatenates two SQL texts. */
const joined = (a: Text, b: Text, when: When): Text => ({
  parts: [...a.parts.slice(0, -1), `${a.parts.at(-1)}${b.parts[0]}`, ...b.parts.slice(1)],
  params: [...a.params, ...b.params],
  when,
})

const lengthOf = ({ parts }: Text): number => parts.reduce((sum, part) => sum + part.length, 0)

const plain = (text: string): Text => ({ parts: [text], params: [], when: nothing })

const isTemplate = (node: Node): node is TaggedTemplateExpression =>
  isTaggedTemplateExpression(node) && isIdentifier(node.tag) && node.tag.text === 'sql'

/** Expressions in the placeholders of an SQL template; empty for other nodes. */
export const spansOf = (node: Node): Expression[] =>
  isTemplate(node) && isTemplateExpression(node.template)
    ? node.template.templateSpans.map((span) => span.expression)
    : []

export const createTexts = (sources: Sources, isSql: (node: Node) => boolean, literals: (node: Node) => string[]) => {
  const resolver = createResolver(sources)
  const { choice, literalBranch } = resolver.conditions

  const template = ({ template: of }: TaggedTemplateExpression, frame: Frame): Text[] => {
    if (isNoSubstitutionTemplateLiteral(of)) return [plain(of.text)]
    if (!isTemplateExpression(of)) return []
    return of.templateSpans.reduce<Text[]>(
      (sum, { expression, literal }) => {
        const inner: Text[] = isSql(expression)
          ? texts(expression, frame)
          : [{ parts: ['', ''], params: [expression], when: nothing }]
        return somePairs(sum, inner, joined, { max: MAX_TEXTS, lengthOf }).map((text) =>
          joined(text, plain(literal.text), text.when),
        )
      },
      [plain(of.head.text)],
    )
  }

  /** Texts that an expression may have as its value, such as names of tables. */
  const strings = (node: Node, frame: Frame): Text[] => {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [plain(node.text)]
    try {
      const steps = resolver.expand(node, frame)
      if (steps) return steps.flatMap((step) => (step.node ? withWhen(strings(step.node, step.frame), step.when) : []))
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error
    }
    const known = literals(node)
    if (!known.length) throw new Unresolved('a name that is known only at run time', node)
    const key = choice(node, frame)
    return known.map((text) => ({ ...plain(text), when: decided(key, literalBranch(key, text)) }))
  }

  /** SQL texts that an expression may have. Throws `Unresolved` for an expression that this tool cannot evaluate. */
  const texts = (node: Node, frame: Frame = top): Text[] =>
    resolver.values(node, frame).flatMap((value) => {
      if (value.text) return withWhen([value.text], value.when)
      if (!value.node) throw new Unresolved('a number in place of SQL', node)
      // The declared TypeScript type excludes null here, so the branch with null cannot occur.
      if (value.node.kind === SyntaxKind.NullKeyword) return []
      if (isTemplate(value.node)) return withWhen(template(value.node, value.frame), value.when)
      const marked = spreadIn(value.node)
      if (marked) return withWhen(texts(marked, value.frame), value.when)
      const own = handMade(value.node)
      if (own) return withWhen(strings(own, value.frame), value.when)
      throw new Unresolved('SQL of another kind', value.node)
    })

  return texts
}

/** The query in an object `{ ...query, … }`, which the function `unprepared` of packages/db returns; undefined for other nodes. */
const spreadIn = (node: Node): Expression | undefined =>
  isObjectLiteralExpression(node) ? node.properties.find(isSpreadAssignment)?.expression : undefined

/**
 * The expression in an object `{ parts: [expression], … }`, which the function `name` of packages/db returns; undefined
 * for other nodes.
 */
const handMade = (node: Node): Expression | undefined => {
  if (!isObjectLiteralExpression(node)) return undefined
  for (const property of node.properties) {
    if (!isPropertyAssignment(property) || property.name.getText() !== 'parts') continue
    return isArrayLiteralExpression(property.initializer) ? property.initializer.elements[0] : undefined
  }
  return undefined
}
