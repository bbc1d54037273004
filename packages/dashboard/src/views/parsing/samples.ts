import cleanCall from '../../../../../corpus/demo/1-clean-call.txt?raw';
import fencedJson from '../../../../../corpus/demo/3-fenced-json.txt?raw';
import pythonLiterals from '../../../../../corpus/demo/4-python-literals.txt?raw';
import brokenJson from '../../../../../corpus/demo/5-broken-json.txt?raw';
import reasoning from '../../../../../corpus/demo/6-reasoning.txt?raw';
import channels from '../../../../../corpus/demo/7-channels.txt?raw';
import noCall from '../../../../../corpus/demo/8-no-call.txt?raw';

/** What models write, to begin with. */
export const SAMPLES: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'Broken JSON', text: brokenJson },
  { name: 'A clean call', text: cleanCall },
  { name: 'Reasoning that mentions a call', text: reasoning },
  { name: 'Channels of gpt-oss', text: channels },
  { name: 'JSON in a fence', text: fencedJson },
  { name: 'Python literals', text: pythonLiterals },
  { name: 'No call at all', text: noCall },
];
