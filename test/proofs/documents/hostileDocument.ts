import fc from 'fast-check';

/** So many of a part that a document has, from none to what its tokens allow. */
type Part = (count: number) => string;

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

/** What may stand in the selection of the query, each dear to a rule of its own. */
const SELECTIONS: readonly Part[] = [
  (n) => times(n, () => '__typename'),
  (n) => times(n, (i) => `a${i % 15}:__typename`),
  (n) => times(n, (i) => `unknown${i}`),
  (n) => times(n, (i) => `customerxyzabcdefghijklmnopqrst${i}`),
  (n) => times(n, () => 'customers{nodes{id}}'),
  (n) => times(n, (i) => `customers(first:${i}){nodes{id}}`),
  (n) => times(n, () => '...{__typename}'),
  (n) => `${'...{'.repeat(n)}__typename${'}'.repeat(n)}`,
  (n) => `customer(id:"x"){${'consentReceipts{nodes{customer{'.repeat(n)}id${'}}}'.repeat(n)}}`,
  (n) => `customer(${times(n, (i) => `argument${i}:1`)}){id}`,
  (n) => `__typename ${times(n, () => '@skip(if:true)')}`,
  (n) => `__typename ${times(n, (i) => `@directive${i}`)}`,
  (n) => `node(id:"a"){${times(n, () => '...on Customer{id}')}}`,
  (n) => `node(id:"a"){${times(n, (i) => `...on Unknown${i}{id}`)}}`,
  (n) => times(n, (i) => `resolvedProfile(customerId:"x",consentPurpose:PERSONALIZATIO${i}){resolvedAt}`),
  (n) => times(n, (i) => `...f${i}`),
  (n) => times(n, () => '...f0'),
  (n) => `customers(first:${n}){nodes{${times(n, (i) => `claims(first:$v${i}){totalCount}`)}}}`,
];

/** What may stand beside it. */
const DEFINITIONS: readonly Part[] = [
  () => '',
  (n) => times(n, (i) => `fragment f${i} on Query{x:__typename}`),
  (n) => times(n, (i) => `fragment f${i} on Query{customers{nodes{id}}}`),
  (n) => times(n, (i) => `fragment f${i} on Query{...f${i + 1}}`),
  (n) => times(n, (i) => `fragment f${i} on Query{...f${i + 1} ...f${i + 1}}`),
  (n) =>
    times(n, (i) => `fragment f${i} on Query{${times(n - i - 1, (j) => `...f${i + 1 + j}`)} __typename}`),
  (n) => times(n, (i) => `fragment f${i} on Query{${times(n, (j) => `...f${j}`)}}`),
  (n) => times(n, (i) => `query q${i}{...f0}`),
  (n) => times(n, (i) => `query q${i}($a:Int){__typename}`),
  (n) => `mutation m{createCustomer(input:{metadata:{${times(n, (i) => `a${i}:1`)}}}){status}}`,
  (n) => `mutation m{createCustomer(input:{${times(n, (i) => `externalIdent${i}:1`)}}){status}}`,
];

const VARIABLES: readonly Part[] = [() => '', (n) => (n === 0 ? '' : `(${times(n, (i) => `$v${i}:Int`)})`)];

/** Documents that are as dear to check as an adversary may think of, each of some parts in some number. */
export const hostileDocument: fc.Arbitrary<string> = fc
  .record({
    selections: fc.array(fc.tuple(fc.constantFrom(...SELECTIONS), fc.nat({ max: 1990 })), {
      minLength: 1,
      maxLength: 3,
    }),
    definitions: fc.tuple(fc.constantFrom(...DEFINITIONS), fc.nat({ max: 500 })),
    variables: fc.tuple(fc.constantFrom(...VARIABLES), fc.nat({ max: 660 })),
  })
  .map(({ selections, definitions, variables }) => {
    const [define, fragments] = definitions;
    const [declare, declared] = variables;
    const selection = selections.map(([part, count]) => part(count)).join(' ');
    return `query main${declare(declared)}{${selection} __typename} ${define(fragments)}`;
  });
