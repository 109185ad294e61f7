import { Field } from '../../core/api/index.js';

export class DocumentationPageDto {
  @Field({ description: 'Name of the page in `GET /docs/{page}`', example: 'install' })
  name!: string;

  @Field({ description: 'First heading of the page', example: 'Install an engine' })
  title!: string;

  @Field({ description: 'File in the project folder', example: 'docs/install.md' })
  file!: string;
}
