// Names for the gaps in sparse rows. A few are enough there, and they spare a start the library that `generate` uses.

type Words = readonly [string, ...string[]]

export const firstNames: Words = [
  'Amelia', 'Andre', 'Beatriz', 'Caleb', 'Chloe', 'Daniel', 'Diana', 'Elias', 'Emma', 'Felix', 'Gabriela', 'Henry',
  'Imani', 'Isaac', 'Jasmine', 'Julian', 'Kira', 'Leo', 'Lucia', 'Marcus', 'Mei', 'Nadia', 'Noah', 'Oscar', 'Priya',
  'Rafael', 'Ruth', 'Sofia', 'Theo', 'Valentina', 'Wesley', 'Yusuf',
] // prettier-ignore

export const lastNames: Words = [
  'Abbott', 'Alvarez', 'Bennett', 'Brooks', 'Castillo', 'Chen', 'Coleman', 'Diaz', 'Ellis', 'Fischer', 'Foster',
  'Grant', 'Hayes', 'Hoffman', 'Ibrahim', 'Jensen', 'Kapoor', 'Keller', 'Larsen', 'Lopez', 'Mbeki', 'Morgan',
  'Nguyen', 'Okoye', 'Park', 'Quinn', 'Rivera', 'Santos', 'Schmidt', 'Turner', 'Vargas', 'Walsh',
] // prettier-ignore

export const merchantNames: Words = [
  'Corner Bistro', 'Green Basket Market', 'Northern Rail', 'Parcel Lane', 'City Pharmacy', 'Highway Stop',
] // prettier-ignore

/** An email address that fits a name; example.com delivers to nobody. */
export function emailOf(firstName: string, lastName: string, suffix: string): string {
  const part = (name: string): string =>
    name
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase()
      .slice(0, 30)
  const name = [part(firstName), part(lastName)].filter((word) => word !== '').join('.')
  return `${name === '' ? 'customer' : name}${suffix}@example.com`
}
