import { dataOf, enter, on, stop } from '../outcome.ts';
import { captured, said, texts } from '../records.ts';
import type { CallModule } from './module.ts';

const callflow: CallModule = {
  simulated: 'id',
  run(route, step) {
    const flow = route.records.get('callflows', said(dataOf(step).id) ?? '');
    return flow ? enter(route, flow, 'A step leads into it.') : on('_', 'There is no such callflow.');
  },
};

const transfer: CallModule = {
  simulated: 'target',
  named: {
    captures: 'all groups that the pattern names stand in for their names',
    leg: 'the caller is transferred',
    transfer_type: 'the caller is transferred at once',
  },
  run(route, step) {
    const { run, leg, records, party, came } = route;
    const data = dataOf(step);
    const target = said(data.target);
    if (target === undefined) return stop(undefined, 'The step names no target.');
    const dialled = captured(target, route.named, route.capture, texts(data.captures));
    const seed = { records, dialled, party, came, isOffnet: route.isOffnet, isAuthorised: true };
    run.clock.at(run.clock.now(), () => {
      if (leg.ended === undefined) run.startRoute(leg, seed);
    });
    return { go: 'leave' };
  },
};

export const flowModules = { callflow, transfer };
