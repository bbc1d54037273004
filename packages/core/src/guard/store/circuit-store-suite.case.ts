import { afterEach, beforeEach, describe } from 'vitest';
import { describeCounting } from './suite/counting.case.ts';
import { describeKeeping } from './suite/keeping.case.ts';
import { describeProbing } from './suite/probing.case.ts';
import { describeSlowness } from './suite/slowness.case.ts';
import { StoreInSuite } from './suite/store-in-suite.case.ts';
import type { StoreUnderTest } from './suite/store-in-suite.case.ts';

export { report, rules, SOON_MS } from './suite/store-in-suite.case.ts';
export type { StoreUnderTest } from './suite/store-in-suite.case.ts';

/** What every store of circuits does. `make` gives a store that holds nothing. */
export function describeCircuitStore(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let suite: StoreInSuite | undefined;

    beforeEach(async () => {
      suite = new StoreInSuite(await make());
    });

    afterEach(async () => {
      await suite?.under.close();
      suite = undefined;
    });

    const inSuite = (): StoreInSuite => {
      if (suite === undefined) throw new Error('there is a store only while a test runs');
      return suite;
    };

    describeCounting(inSuite);
    describeProbing(inSuite);
    describeKeeping(inSuite);
    describeSlowness(inSuite);
  });
}
