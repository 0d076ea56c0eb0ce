/** Reads a page with an HTML parser, without running scripts: its title, text, links and forms. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

export interface Field {
  name: string
  /** `text`, `password`, `hidden`, `checkbox`, `radio`, `select`, `textarea`, `submit` and so on. */
  type: string
  /** Value of the field that a submission of the form would send now. */
  value: string
  checked: boolean
  required: boolean
  autocomplete: string
  /** Values of the options of a `select` element. */
  options: string[]
  /** Text of the label of the field; empty if the field has no label. */
  label: string
}

export interface Button {
  /** Name of the button's field; empty if the button sends none. */
  name: string
  value: string
  text: string
  /** Absolute URL in `formaction`; undefined if the button uses the URL of the form. */
  action: string | undefined
}

export interface Form {
  id: string
  /** `GET` or `POST`. */
  method: string
  /** Absolute URL to which the form is sent. */
  action: string
  encoding: string
  fields: Field[]
  buttons: Button[]
}

export interface Page {
  url: string
  title: string
  /** Text of the page's body, with white space collapsed to single spaces. */
  text: string
  links: { text: string; href: string; rel: string }[]
  forms: Form[]
  /** Texts of elements with `role="alert"`. */
  alerts: string[]
  /** Number of script elements. Pages may have scripts, and all forms must work without them. */
  scripts: number
}

const GONE = new Set(['script', 'style', 'template'])
const INLINE = new Set('a abbr b bdi code em i mark s small span strong sub sup time u wbr'.split(' '))

/** @param url URL of the page, against which relative URLs are resolved */
export const readPage = (html: string, url: string): Page => {
  // The page is parsed as if scripting were off, because pages must work without JavaScript. So the content of
  // `noscript` is part of the page.
  const document = parse(html, { scriptingEnabled: false })
  const all = elementsOf(document)
  const labels = new Map(
    all.filter((one) => one.tagName === 'label').map((one) => [attribute(one, 'for') || innerId(one), textOf(one)]),
  )
  const absolute = (address: string) => URL.parse(address, url)?.href ?? address
  const body = all.find((one) => one.tagName === 'body')
  return {
    url,
    title: textOf(all.find((one) => one.tagName === 'title')),
    text: textOf(body),
    links: all
      .filter((one) => (one.tagName === 'a' || one.tagName === 'link') && has(one, 'href'))
      .map((one) => ({ text: textOf(one), href: absolute(attribute(one, 'href')), rel: attribute(one, 'rel') })),
    forms: all
      .filter((one) => one.tagName === 'form')
      .map((form) => readForm(form, belongingTo(form, all), labels, absolute, url)),
    alerts: all.filter((one) => attribute(one, 'role') === 'alert').map(textOf),
    scripts: all.filter((one) => one.tagName === 'script').length,
  }
}

const readForm = (
  form: Element,
  parts: Element[],
  labels: Map<string, string>,
  absolute: (address: string) => string,
  url: string,
): Form => ({
  id: attribute(form, 'id'),
  method: attribute(form, 'method').toUpperCase() === 'POST' ? 'POST' : 'GET',
  action: attribute(form, 'action') ? absolute(attribute(form, 'action')) : url,
  encoding: attribute(form, 'enctype') || 'application/x-www-form-urlencoded',
  fields: parts.filter((one) => attribute(one, 'name') && !isButton(one)).map((one) => readField(one, labels)),
  buttons: parts.filter(isButton).map((one) => ({
    name: attribute(one, 'name'),
    value: attribute(one, 'value'),
    text: one.tagName === 'input' ? attribute(one, 'value') : textOf(one),
    action: has(one, 'formaction') ? absolute(attribute(one, 'formaction')) : undefined,
  })),
})

const readField = (element: Element, labels: Map<string, string>): Field => {
  const options = elementsOf(element).filter((one) => one.tagName === 'option')
  const valueOfOption = (one: Element | undefined) =>
    one ? (has(one, 'value') ? attribute(one, 'value') : textOf(one)) : ''
  const chosen = options.find((one) => has(one, 'selected')) ?? options[0]
  const isTick = ['checkbox', 'radio'].includes(attribute(element, 'type'))
  const values: Record<string, string> = {
    textarea: element.tagName === 'textarea' ? rawTextOf(element).replace(/^\n/, '') : '',
    select: valueOfOption(chosen),
    input: attribute(element, 'value') || (isTick && !has(element, 'value') ? 'on' : ''),
  }
  return {
    name: attribute(element, 'name'),
    type: element.tagName === 'input' ? attribute(element, 'type') || 'text' : element.tagName,
    value: values[element.tagName] ?? '',
    checked: has(element, 'checked'),
    required: has(element, 'required'),
    autocomplete: attribute(element, 'autocomplete'),
    options: options.map(valueOfOption),
    label: labels.get(attribute(element, 'id')) ?? labels.get(`name:${attribute(element, 'name')}`) ?? '',
  }
}

const CONTROLS = new Set(['input', 'select', 'textarea', 'button'])

/**
 * Enabled controls of a form: the controls inside it, and controls elsewhere on the page whose attribute `form` has its
 * id.
 */
const belongingTo = (form: Element, all: Element[]): Element[] => {
  const inside = new Set(elementsOf(form))
  const id = attribute(form, 'id')
  return all.filter((one) => {
    if (!CONTROLS.has(one.tagName) || has(one, 'disabled')) return false
    return has(one, 'form') ? attribute(one, 'form') === id : inside.has(one)
  })
}

const isButton = (one: Element): boolean =>
  one.tagName === 'button'
    ? !['button', 'reset'].includes(attribute(one, 'type'))
    : one.tagName === 'input' && ['submit', 'image'].includes(attribute(one, 'type'))

/** Id or name of the control inside a label, which needs no attribute `for`. */
const innerId = (label: Element): string => {
  const control = elementsOf(label).find((one) => CONTROLS.has(one.tagName))
  return control ? attribute(control, 'id') || `name:${attribute(control, 'name')}` : ''
}

const has = (element: Element, name: string): boolean => element.attrs.some((one) => one.name === name)
const attribute = (element: Element, name: string): string =>
  element.attrs.find((one) => one.name === name)?.value ?? ''

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])

const elementsOf = (node: Node): Element[] =>
  childrenOf(node).flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : elementsOf(child)))

const rawTextOf = (node: Node): string => {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value
  if (GONE.has(node.nodeName)) return ''
  const text = childrenOf(node).map(rawTextOf).join('')
  return INLINE.has(node.nodeName) || node.nodeName === 'textarea' ? text : ` ${text} `
}

const textOf = (node: Node | undefined): string => (node ? rawTextOf(node).replace(/\s+/g, ' ').trim() : '')
