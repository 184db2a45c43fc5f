import { useState } from 'react';
import { addTags, MAX_TAG_LENGTH } from '#app/solution/solutions/form-schema.ts';
import { Chip } from '#app/ui/controls/chip.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { isOfInputMethod } from '#app/ui/controls/input-method.ts';

/** The tags an author has typed, each of which one press removes, and the field for more. */
export function TagInput({ tags, onChange }: { tags: string[]; onChange: (tags: string[]) => void }) {
  const [text, setText] = useState('');
  const add = () => {
    onChange(addTags(tags, text));
    setText('');
  };
  return (
    <div>
      <Field id="customTags" label="Custom tags" optional hint="Press Enter or a comma to add a tag">
        <Input
          value={text}
          maxLength={MAX_TAG_LENGTH}
          enterKeyHint="done"
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (!/[,\n]/.test(pasted)) return;
            event.preventDefault();
            onChange(addTags(tags, text + pasted));
            setText('');
          }}
          onBlur={add}
          onKeyDown={(event) => {
            if ((event.key !== 'Enter' && event.key !== ',') || isOfInputMethod(event)) return;
            event.preventDefault();
            add();
          }}
        />
      </Field>
      {tags.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li key={tag} className="max-w-full">
              <Chip onClick={() => onChange(tags.filter((other) => other !== tag))}>{tag}</Chip>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
