// Converts an option of the table for commander; values stay text, as the table's schemas parse them.
import { Option } from 'commander'
import { defaultOf, flagOf, optionOf, type OptionName } from '../options/index.ts'

export function commanderOption(
  name: OptionName,
  verb?: string,
  placeholder = optionOf(name).placeholder,
): Option {
  const { short, help, list } = optionOf(name)
  const defaultValue = defaultOf(name, verb)
  const flags = [short && `-${short},`, flagOf(name), placeholder && `<${placeholder}>`]
  const option = new Option(
    flags.filter((part) => part !== undefined).join(' '),
    defaultValue === undefined ? help : `${help} (default: ${defaultValue})`,
  )
  if (list) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return option
}
