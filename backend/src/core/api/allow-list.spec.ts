import { describe, expect, it } from '@jest/globals';
import { allowListed } from './allow-list.js';
import { Field, NestedField, NullableField } from './field.js';

class NodeDto {
  @Field()
  name!: string;
}

class BaseDto {
  @Field()
  id!: number;

  @NestedField(() => NodeDto, { nullable: true })
  first!: NodeDto | null;
}

class ClusterDto extends BaseDto {
  @NestedField(() => NodeDto, { isArray: true })
  nodes!: NodeDto[];

  @NullableField(String)
  reason!: string | null;

  @Field({ type: 'object', additionalProperties: true })
  labels!: Record<string, string>;
}

describe('allowListed', () => {
  it('copies the declared fields of a class, its base class and nested classes, and no others', () => {
    const labels = { app: 'shop' };
    const value = {
      id: 1,
      secret: 'x',
      first: null,
      nodes: [{ name: 'one', secret: 'x' }],
      reason: undefined,
      labels,
    };
    expect(allowListed(ClusterDto, value)).toStrictEqual({
      id: 1,
      first: null,
      nodes: [{ name: 'one' }],
      labels,
    });
  });
});
